import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The routing key of an event in structured JSON, read from its bytes: sections 9.2 to 9.6 of the slotkey rule.
 *
 * <p>Members must agree on every body, also on one that a JSON parser refuses. So this reader judges the syntax of the
 * object itself and of what makes the key, and skips everything else without judgement: it keeps bytes that are no UTF-8, and
 * does not recurse.
 */
public final class Peek {
    private static final byte[] SUBJECT = {'s', 'u', 'b', 'j', 'e', 'c', 't'};
    private static final byte[] ID = {'i', 'd'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] body;
    private int pos;
    private byte[] subject = new byte[0]; // empty: absent
    private byte[] id = new byte[0];

    private Peek(byte[] body) {
        this.body = body;
    }

    /** The key, or null where the event has none or the body cannot be read. */
    public static byte[] routingKey(byte[] body) {
        Peek peek = new Peek(body);
        try {
            peek.object();
            if (peek.subject.length > 0) return peek.subject;
            return peek.id.length > 0 ? peek.id : null;
        } catch (Unreadable e) {
            return null;
        }
    }

    @SuppressWarnings("serial")
    private static final class Unreadable extends Exception {}

    private void object() throws Unreadable {
        space();
        expect('{');
        space();
        if (at() != '}') {
            member();
            while (at() == ',') {
                pos++;
                space();
                member();
            }
        }
        expect('}');
        space();
        if (pos < body.length) throw new Unreadable();
    }

    private void member() throws Unreadable {
        if (at() != '"') throw new Unreadable();
        byte[] name = unescape(string());
        space();
        expect(':');
        space();
        byte[] value = value();
        if (Arrays.equals(name, SUBJECT)) subject = attribute(value); // the last one counts, and each one must be right
        if (Arrays.equals(name, ID)) id = attribute(value);
        space();
    }

    /** The bytes of an attribute; none where it is null. */
    private static byte[] attribute(byte[] value) throws Unreadable {
        if (Arrays.equals(value, NULL)) return new byte[0];
        byte[] text = value[0] == '"' ? unescape(Arrays.copyOfRange(value, 1, value.length - 1)) : null;
        if (text == null) throw new Unreadable();
        return text;
    }

    private byte[] value() throws Unreadable {
        int start = pos;
        if (at() == '"') string();
        else if (at() == '{' || at() == '[') container();
        else while (isScalar(at())) pos++;
        if (pos == start) throw new Unreadable();
        return Arrays.copyOfRange(body, start, pos);
    }

    /** Skips a string and returns its inside. */
    private byte[] string() throws Unreadable {
        int start = ++pos;
        for (; pos < body.length; pos++) {
            if (at() == '\\') pos++;
            else if (at() == '"') return Arrays.copyOfRange(body, start, pos++);
        }
        throw new Unreadable();
    }

    private void container() throws Unreadable {
        for (int depth = 0; pos < body.length; ) {
            int c = at();
            if (c == '"') {
                string();
                continue;
            }
            if (c == '{' || c == '[') depth++;
            else if (c == '}' || c == ']') depth--;
            pos++;
            if (depth == 0) return;
        }
        throw new Unreadable();
    }

    private void space() {
        while (at() == ' ' || at() == '\t' || at() == '\n' || at() == '\r') pos++;
    }

    /** The byte at pos, -1 behind the end. */
    private int at() {
        return pos < body.length ? body[pos] & 0xff : -1;
    }

    private void expect(char c) throws Unreadable {
        if (at() != c) throw new Unreadable();
        pos++;
    }

    private static boolean isScalar(int c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.';
    }

    /** What the inside of a string stands for; null where JSON does not allow it. */
    private static byte[] unescape(byte[] raw) {
        var text = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; ) {
            if (raw[i] >= 0 && raw[i] < ' ') return null;
            if (raw[i] != '\\') {
                text.write(raw[i++]);
                continue;
            }
            int escape = i + 1 < raw.length ? "\"\\/bfnrt".indexOf(raw[i + 1]) : -1;
            if (escape >= 0) {
                text.write("\"\\/\b\f\n\r\t".charAt(escape));
                i += 2;
                continue;
            }
            int c = unit(raw, i);
            if (c < 0) return null;
            i += 6;
            if (c >= 0xd800 && c <= 0xdfff) {
                int low = c < 0xdc00 ? unit(raw, i) : -1;
                if (low >= 0xdc00 && low <= 0xdfff) {
                    c = Character.toCodePoint((char) c, (char) low);
                    i += 6;
                } else {
                    c = 0xfffd;
                }
            }
            text.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        }
        return text.toByteArray();
    }

    /** The UTF-16 code unit that \\uXXXX at i stands for, -1 where there is none. */
    private static int unit(byte[] raw, int i) {
        if (raw.length < i + 6 || raw[i] != '\\' || raw[i + 1] != 'u') return -1;
        int c = 0;
        for (int j = i + 2; j < i + 6; j++) {
            int digit = Character.digit((char) (raw[j] & 0xff), 16);
            if (digit < 0) return -1;
            c = c << 4 | digit;
        }
        return c;
    }
}
