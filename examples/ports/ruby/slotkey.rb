# frozen_string_literal: true

# Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id".
#
# Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
# because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
# finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
# normalisation. A String of another encoding counts as its UTF-8, a binary one as its bytes, valid UTF-8 or not.
#
#   return unless Slotkey.owns?(key, 3, 1) # acknowledge and forget: another member has it
module Slotkey
  MAX_SIZE = 1024

  module_function

  # The key of an event, or nil where it has none. An attribute that is nil or empty is absent.
  def routing_key(subject, id)
    [subject, id].find { |attribute| attribute && !attribute.empty? }
  end

  # The first stage of the hash.
  def fnv1a32(key)
    key = key.encode(Encoding::UTF_8) unless key.encoding == Encoding::BINARY
    h = 2_166_136_261
    key.each_byte { |byte| h = (h ^ byte) * 16_777_619 & 0xffffffff }
    h
  end

  # The second stage of the hash.
  def fmix32(h)
    h = (h ^ h >> 16) * 0x85ebca6b & 0xffffffff
    h = (h ^ h >> 13) * 0xc2b2ae35 & 0xffffffff
    h ^ h >> 16
  end

  # The hash of a key, 0 to 2**32 - 1. Unlike String#hash it is the same in every process.
  def hash32(key)
    fmix32(fnv1a32(key))
  end

  # The slot of a key in a group of size slots, from 0.
  def slot(key, size)
    raise ArgumentError, "size #{size} is not 1 to #{MAX_SIZE}" unless size.between?(1, MAX_SIZE)

    hash32(key) % size
  end

  # Whether the member that holds slot index owns the key.
  def owns?(key, size, index)
    raise ArgumentError, "index #{index} is not below size #{size}" unless index >= 0 && index < size

    slot(key, size) == index
  end

  # The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change.
  def deal(slots, members)
    unless members >= 1 && members <= slots && slots <= MAX_SIZE
      raise ArgumentError, "#{members} members cannot share #{slots} slots"
    end

    hands = [(0...slots).to_a]
    while hands.size < members
      taken = Array.new(slots / (hands.size + 1)) do
        most = hands.map(&:size).max
        hands[hands.rindex { |hand| hand.size == most }].pop
      end
      hands << taken.sort
    end
    holders = Array.new(slots)
    hands.each_with_index { |hand, member| hand.each { |slot| holders[slot] = member } }
    holders
  end
end
