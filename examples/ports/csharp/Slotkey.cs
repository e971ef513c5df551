using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

/// <summary>
/// Which member of a group owns an event: the slotkey rule <c>fnv1a32-fmix32 subject,id</c>.
/// </summary>
/// <remarks>
/// Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
/// because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
/// finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
/// normalisation. A string counts as its UTF-8; a byte[] as its bytes, valid UTF-8 or not.
/// <code>if (!Slotkey.Owns(key, 3, 1)) return; // acknowledge and forget: another member has it</code>
/// </remarks>
public static class Slotkey
{
    public const int MaxSize = 1024;

    /// <summary>The key of an event, or null where it has none. An attribute that is null or empty is absent.</summary>
    public static string RoutingKey(string subject, string id)
    {
        if (!string.IsNullOrEmpty(subject)) return subject;
        return string.IsNullOrEmpty(id) ? null : id;
    }

    /// <summary>The first stage of the hash. A product that overflows is cut, also in a project that checks overflows.</summary>
    public static uint Fnv1a32(byte[] key)
    {
        uint h = 2166136261;
        foreach (byte b in key) h = unchecked((h ^ b) * 16777619);
        return h;
    }

    /// <summary>The second stage of the hash.</summary>
    public static uint Fmix32(uint h)
    {
        h = unchecked((h ^ (h >> 16)) * 0x85ebca6b);
        h = unchecked((h ^ (h >> 13)) * 0xc2b2ae35);
        return h ^ (h >> 16);
    }

    /// <summary>The hash of a key. Unlike GetHashCode it is the same in every process.</summary>
    public static uint Hash32(byte[] key) => Fmix32(Fnv1a32(key));

    public static uint Hash32(string key) => Hash32(Encoding.UTF8.GetBytes(key));

    /// <summary>The slot of a key in a group of size slots, from 0.</summary>
    public static int Slot(byte[] key, long size)
    {
        if (size < 1 || size > MaxSize) throw new ArgumentException($"size {size} is not 1 to {MaxSize}");
        return (int)(Hash32(key) % (uint)size);
    }

    public static int Slot(string key, long size) => Slot(Encoding.UTF8.GetBytes(key), size);

    /// <summary>Whether the member that holds slot index owns the key.</summary>
    public static bool Owns(byte[] key, long size, long index)
    {
        if (index < 0 || index >= size) throw new ArgumentException($"index {index} is not below size {size}");
        return Slot(key, size) == index;
    }

    public static bool Owns(string key, long size, long index) => Owns(Encoding.UTF8.GetBytes(key), size, index);

    /// <summary>The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change.</summary>
    public static int[] Deal(long slots, long members)
    {
        if (members < 1 || members > slots || slots > MaxSize)
            throw new ArgumentException($"{members} members cannot share {slots} slots");
        var hands = new List<List<int>> { Enumerable.Range(0, (int)slots).ToList() };
        while (hands.Count < members)
        {
            var taken = new List<int>();
            for (long n = slots / (hands.Count + 1); n > 0; n--)
            {
                var giver = hands[0];
                foreach (var hand in hands) if (hand.Count >= giver.Count) giver = hand;
                taken.Add(giver[giver.Count - 1]);
                giver.RemoveAt(giver.Count - 1);
            }
            taken.Sort();
            hands.Add(taken);
        }
        var holders = new int[slots];
        for (int member = 0; member < hands.Count; member++)
            foreach (int s in hands[member]) holders[s] = member;
        return holders;
    }
}
