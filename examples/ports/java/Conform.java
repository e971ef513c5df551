import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** Speaks the protocol of docs/conformance.md for Slotkey.java. */
public final class Conform {
    private static final HexFormat HEX = HexFormat.of();

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 16);
        var out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.US_ASCII), 1 << 16);
        out.write("slotkey-port/1\tJava\t" + System.getProperty("java.version") + "\tnul bytes deal json\n");
        out.flush();
        for (String line; (line = in.readLine()) != null; ) {
            String[] f = line.split("\t", -1); // -1 keeps empty fields at the end
            out.write(f[0]);
            out.write('\t');
            try {
                out.write(answer(f));
            } catch (IllegalArgumentException e) {
                out.write("error\t" + e.getMessage());
            }
            out.write('\n');
        }
        out.flush();
    }

    private static String answer(String[] f) {
        switch (f[1]) {
            case "hash":
                return hashes(bytes(f[2]));
            case "slot":
                return hashes(bytes(f[2])) + "\t" + slot(bytes(f[2]), Long.parseLong(f[3]));
            case "owns":
                return Boolean.toString(owns(bytes(f[2]), Long.parseLong(f[3]), Long.parseLong(f[4])));
            case "key":
                return key(f[2], f[3]);
            case "deal":
                return Arrays.stream(Slotkey.deal(Long.parseLong(f[2]), Long.parseLong(f[3])))
                        .mapToObj(Integer::toString).collect(Collectors.joining(","));
            case "json":
                byte[] key = Peek.routingKey(bytes(f[2]));
                return key == null ? "-" : HEX.formatHex(key);
            default:
                throw new IllegalArgumentException("unknown operation");
        }
    }

    private static byte[] bytes(String field) {
        return HEX.parseHex(field);
    }

    private static String hashes(byte[] key) {
        int state = Slotkey.fnv1a32(key);
        return HEX.toHexDigits(state) + "\t" + HEX.toHexDigits(Slotkey.fmix32(state));
    }

    // By way of a String where the bytes are UTF-8, as in a service.

    private static int slot(byte[] key, long size) {
        String text = text(key);
        return text != null ? Slotkey.slot(text, size) : Slotkey.slot(key, size);
    }

    private static boolean owns(byte[] key, long size, long index) {
        String text = text(key);
        return text != null ? Slotkey.owns(text, size, index) : Slotkey.owns(key, size, index);
    }

    private static String text(byte[] key) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Attributes are strings; those that are no UTF-8 go through ISO 8859-1, which keeps every byte. */
    private static String key(String subject, String id) {
        boolean utf8 = isText(subject) && isText(id);
        var charset = utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        String key = Slotkey.routingKey(
                subject.equals("-") ? null : new String(bytes(subject), charset),
                id.equals("-") ? null : new String(bytes(id), charset));
        return key == null ? "-" : HEX.formatHex(key.getBytes(charset));
    }

    private static boolean isText(String field) {
        return field.equals("-") || text(bytes(field)) != null;
    }
}
