using System;
using System.IO;
using System.Text;

/// <summary>Speaks the protocol of docs/conformance.md for Slotkey.cs.</summary>
public static class Conform
{
    static readonly Encoding Utf8 = new UTF8Encoding(false, true); // refuses what is no UTF-8

    public static void Main()
    {
        var input = new StreamReader(Console.OpenStandardInput(), Encoding.ASCII, false, 1 << 16);
        var output = new StreamWriter(Console.OpenStandardOutput(), Encoding.ASCII, 1 << 16) { NewLine = "\n" };
        output.WriteLine($"slotkey-port/1\tC#\t{Runtime()}\tnul bytes deal");
        output.Flush();
        for (string line; (line = input.ReadLine()) != null;)
        {
            var f = line.Split('\t');
            string answer;
            try { answer = Answer(f); }
            catch (ArgumentException e) { answer = "error\t" + e.Message; }
            output.WriteLine(f[0] + "\t" + answer);
        }
        output.Flush();
    }

    static string Runtime()
    {
        var mono = Type.GetType("Mono.Runtime")?.GetMethod("GetDisplayName", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static);
        return mono == null ? ".NET " + Environment.Version : "Mono " + ((string)mono.Invoke(null, null)).Split(' ')[0];
    }

    static string Answer(string[] f)
    {
        switch (f[1])
        {
            case "hash": return Hashes(Bytes(f[2]));
            case "slot": return Hashes(Bytes(f[2])) + "\t" + Slot(Bytes(f[2]), long.Parse(f[3]));
            case "owns": return Owns(Bytes(f[2]), long.Parse(f[3]), long.Parse(f[4])) ? "true" : "false";
            case "key": return Key(f[2], f[3]);
            case "deal": return string.Join(",", Slotkey.Deal(long.Parse(f[2]), long.Parse(f[3])));
            default: throw new ArgumentException("unknown operation");
        }
    }

    static string Hashes(byte[] key)
    {
        uint state = Slotkey.Fnv1a32(key);
        return $"{state:x8}\t{Slotkey.Fmix32(state):x8}";
    }

    // By way of a string where the bytes are UTF-8, as in a service.

    static int Slot(byte[] key, long size)
    {
        var text = Text(key);
        return text != null ? Slotkey.Slot(text, size) : Slotkey.Slot(key, size);
    }

    static bool Owns(byte[] key, long size, long index)
    {
        var text = Text(key);
        return text != null ? Slotkey.Owns(text, size, index) : Slotkey.Owns(key, size, index);
    }

    static string Text(byte[] key)
    {
        try { return Utf8.GetString(key); }
        catch (DecoderFallbackException) { return null; }
    }

    /// Attributes are strings; those that are no UTF-8 go through ISO 8859-1, which keeps every byte.
    static string Key(string subject, string id)
    {
        bool utf8 = IsText(subject) && IsText(id);
        var encoding = utf8 ? Utf8 : Encoding.GetEncoding("ISO-8859-1");
        var key = Slotkey.RoutingKey(
            subject == "-" ? null : encoding.GetString(Bytes(subject)),
            id == "-" ? null : encoding.GetString(Bytes(id)));
        return key == null ? "-" : Hex(encoding.GetBytes(key));
    }

    static bool IsText(string field) => field == "-" || Text(Bytes(field)) != null;

    static byte[] Bytes(string hex)
    {
        var bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = (byte)(Digit(hex[2 * i]) << 4 | Digit(hex[2 * i + 1]));
        return bytes;
    }

    static int Digit(char c) => c <= '9' ? c - '0' : c - 'a' + 10;

    static string Hex(byte[] bytes)
    {
        var text = new StringBuilder();
        foreach (byte b in bytes) text.Append(b.ToString("x2"));
        return text.ToString();
    }
}
