# frozen_string_literal: true

# Speaks the protocol of docs/conformance.md for slotkey.rb.

require_relative "slotkey"

# A UTF-8 string where the bytes are UTF-8, as in a service; else a binary one; nil where the field is absent.
def key(field)
  return nil if field == "-"

  bytes = [field].pack("H*")
  text = bytes.dup.force_encoding(Encoding::UTF_8)
  text.valid_encoding? ? text : bytes
end

def hashes(key)
  state = Slotkey.fnv1a32(key)
  format("%08x\t%08x", state, Slotkey.fmix32(state))
end

def answer(operation, fields)
  case operation
  when "hash" then hashes(key(fields[0]))
  when "slot"
    k = key(fields[0])
    "#{hashes(k)}\t#{Slotkey.slot(k, Integer(fields[1]))}"
  when "owns" then Slotkey.owns?(key(fields[0]), Integer(fields[1]), Integer(fields[2])).to_s
  when "key" then Slotkey.routing_key(key(fields[0]), key(fields[1]))&.unpack1("H*") || "-"
  when "deal" then Slotkey.deal(Integer(fields[0]), Integer(fields[1])).join(",")
  else raise ArgumentError, "unknown operation"
  end
end

$stdout.sync = true
puts "slotkey-port/1\tRuby\t#{RUBY_VERSION}\tnul bytes deal"
$stdout.sync = false
$stdin.each_line(chomp: true) do |line|
  number, operation, *fields = line.split("\t", -1) # -1 keeps empty fields at the end
  begin
    puts "#{number}\t#{answer(operation, fields)}"
  rescue ArgumentError => e
    puts "#{number}\terror\t#{e.message}"
  end
end
