import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which member of a group owns an event: the slotkey rule {@code fnv1a32-fmix32 subject,id}.
 *
 * <p>Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
 * because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
 * finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
 * normalisation. A String counts as its UTF-8; a byte[] as its bytes, valid UTF-8 or not.
 *
 * <pre>{@code
 * if (!Slotkey.owns(key, 3, 1)) return; // acknowledge and forget: another member has it
 * }</pre>
 */
public final class Slotkey {
    public static final int MAX_SIZE = 1024;

    private Slotkey() {}

    /** The key of an event, or null where it has none. An attribute that is null or empty is absent. */
    public static String routingKey(String subject, String id) {
        if (subject != null && !subject.isEmpty()) return subject;
        return id != null && !id.isEmpty() ? id : null;
    }

    /** The first stage of the hash. Java's bytes are signed: the mask makes them 0 to 255. */
    public static int fnv1a32(byte[] key) {
        int h = 0x811c9dc5;
        for (byte b : key) h = (h ^ (b & 0xff)) * 16777619;
        return h;
    }

    /** The second stage of the hash. */
    public static int fmix32(int h) {
        h = (h ^ (h >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    /** The hash of a key: 32 bits, to be read as unsigned. */
    public static int hash32(byte[] key) {
        return fmix32(fnv1a32(key));
    }

    /** The slot of a key in a group of size slots, from 0. */
    public static int slot(byte[] key, long size) {
        if (size < 1 || size > MAX_SIZE) throw new IllegalArgumentException("size " + size + " is not 1 to " + MAX_SIZE);
        return Integer.remainderUnsigned(hash32(key), (int) size);
    }

    public static int slot(String key, long size) {
        return slot(key.getBytes(StandardCharsets.UTF_8), size);
    }

    /** Whether the member that holds slot index owns the key. */
    public static boolean owns(byte[] key, long size, long index) {
        if (index < 0 || index >= size) throw new IllegalArgumentException("index " + index + " is not below size " + size);
        return slot(key, size) == index;
    }

    public static boolean owns(String key, long size, long index) {
        return owns(key.getBytes(StandardCharsets.UTF_8), size, index);
    }

    /** The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change. */
    public static int[] deal(long slots, long members) {
        if (members < 1 || members > slots || slots > MAX_SIZE)
            throw new IllegalArgumentException(members + " members cannot share " + slots + " slots");
        List<List<Integer>> hands = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int s = 0; s < slots; s++) all.add(s);
        hands.add(all);
        while (hands.size() < members) {
            List<Integer> taken = new ArrayList<>();
            for (long n = slots / (hands.size() + 1); n > 0; n--) {
                List<Integer> giver = hands.get(0);
                for (List<Integer> hand : hands) if (hand.size() >= giver.size()) giver = hand;
                taken.add(giver.remove(giver.size() - 1));
            }
            Collections.sort(taken);
            hands.add(taken);
        }
        int[] holders = new int[(int) slots];
        for (int member = 0; member < hands.size(); member++) for (int s : hands.get(member)) holders[s] = member;
        return holders;
    }
}
