# Speaks the protocol of docs/conformance.md for slotkey.ex.

defmodule Conform do
  def run do
    # Raw devices: the standard ones go through a process that is slow with many short lines.
    input = :erlang.open_port({:fd, 0, 1}, [:binary, :stream, :eof])
    hello = "slotkey-port/1\tElixir\t#{System.version()} on OTP #{System.otp_release()}\tnul bytes deal\n"
    Port.command(input, hello)
    loop(input, "")
  end

  # Takes what has come, answers its whole lines in one write, keeps the rest.
  defp loop(port, rest) do
    receive do
      {^port, {:data, data}} ->
        [rest | lines] = (rest <> data) |> :binary.split("\n", [:global]) |> Enum.reverse()
        answers = lines |> Enum.reverse() |> Enum.map(&answer/1)
        if answers != [], do: Port.command(port, answers)
        loop(port, rest)

      {^port, :eof} ->
        :ok
    end
  end

  defp answer(line) do
    [number, operation | fields] = :binary.split(line, "\t", [:global])

    try do
      [number, ?\t, perform(operation, fields), ?\n]
    rescue
      e in ArgumentError -> [number, "\terror\t", e.message, ?\n]
    end
  end

  defp perform("hash", [key]), do: hashes(bytes(key))

  defp perform("slot", [key, size]) do
    key = bytes(key)
    slot = Slotkey.slot(key, String.to_integer(size))
    [hashes(key), ?\t, Integer.to_string(slot)]
  end

  defp perform("owns", [key, size, index]) do
    to_string(Slotkey.owns?(bytes(key), String.to_integer(size), String.to_integer(index)))
  end

  defp perform("key", [subject, id]) do
    case Slotkey.routing_key(bytes(subject), bytes(id)) do
      nil -> "-"
      key -> Base.encode16(key, case: :lower)
    end
  end

  defp perform("deal", [slots, members]) do
    Slotkey.deal(String.to_integer(slots), String.to_integer(members)) |> Enum.join(",")
  end

  defp perform(_, _), do: raise(ArgumentError, "unknown request")

  defp bytes("-"), do: nil
  defp bytes(field), do: Base.decode16!(field, case: :lower)

  defp hashes(key) do
    state = Slotkey.fnv1a32(key)
    [hex32(state), ?\t, hex32(Slotkey.fmix32(state))]
  end

  defp hex32(n), do: Base.encode16(<<n::32>>, case: :lower)
end

Conform.run()
