defmodule Slotkey do
  @moduledoc """
  Which member of a group owns an event: the slotkey rule `fnv1a32-fmix32 subject,id`.

  Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
  because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
  finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
  normalisation. A binary is its bytes, valid UTF-8 or not.

      if Slotkey.owns?(key, 3, 1), do: handle(event), else: :ok # another member has it
  """

  import Bitwise

  @max_size 1024
  @mask 0xFFFFFFFF

  @doc "The key of an event, or nil where it has none. An attribute that is nil or empty is absent."
  def routing_key(subject, id), do: Enum.find([subject, id], &(&1 not in [nil, ""]))

  @doc "The first stage of the hash."
  def fnv1a32(key) do
    for <<byte <- key>>, reduce: 2_166_136_261 do
      h -> bxor(h, byte) * 16_777_619 &&& @mask
    end
  end

  @doc "The second stage of the hash."
  def fmix32(h) do
    h = bxor(h, h >>> 16) * 0x85EBCA6B &&& @mask
    h = bxor(h, h >>> 13) * 0xC2B2AE35 &&& @mask
    bxor(h, h >>> 16)
  end

  @doc "The hash of a key, 0 to 2**32 - 1. Unlike :erlang.phash2 it is the same in other languages."
  def hash32(key), do: key |> fnv1a32() |> fmix32()

  @doc "The slot of a key in a group of size slots, from 0."
  def slot(key, size) when size in 1..@max_size, do: rem(hash32(key), size)
  def slot(_key, size), do: raise(ArgumentError, "size #{size} is not 1 to #{@max_size}")

  @doc "Whether the member that holds slot index owns the key."
  def owns?(key, size, index) when index >= 0 and index < size, do: slot(key, size) == index
  def owns?(_key, size, index), do: raise(ArgumentError, "index #{index} is not below size #{size}")

  @doc "The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change."
  def deal(slots, members) when 1 <= members and members <= slots and slots <= @max_size do
    # A hand is a member's slots, highest first, and the hands are by member.
    hands = Enum.reduce(1..(members - 1)//1, %{0 => Enum.to_list((slots - 1)..0)}, &admit(&2, &1, div(slots, &1 + 1)))
    by_slot = for {member, hand} <- hands, slot <- hand, into: %{}, do: {slot, member}
    for slot <- 0..(slots - 1), do: by_slot[slot]
  end

  def deal(slots, members), do: raise(ArgumentError, "#{members} members cannot share #{slots} slots")

  defp admit(hands, newcomer, count) do
    sizes = Map.new(hands, fn {member, hand} -> {member, length(hand)} end)

    {hands, taken, _} =
      Enum.reduce(1..count//1, {hands, [], sizes}, fn _, {hands, taken, sizes} ->
        {giver, _} = Enum.max_by(sizes, fn {member, size} -> {size, member} end)
        {slot, hands} = Map.get_and_update!(hands, giver, fn [slot | rest] -> {slot, rest} end)
        {hands, [slot | taken], Map.update!(sizes, giver, &(&1 - 1))}
      end)

    Map.put(hands, newcomer, Enum.sort(taken, :desc))
  end
end
