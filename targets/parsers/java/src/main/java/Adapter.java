import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.TypeAdapter;
import com.squareup.moshi.JsonAdapter;
import com.squareup.moshi.Moshi;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import kotlinx.serialization.json.Json;
import org.json.JSONTokener;

/** Adapter for the JSON parsers of Java: Adapter jackson|gson|org.json|fastjson2|moshi|kotlinx.serialization VERSION. */
public final class Adapter {
    private interface Library {
        /** What it writes for the value; null if it cannot write. */
        byte[] read(byte[] text) throws Exception;
    }

    private static String decoded(byte[] text) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    }

    private static Library named(String name) {
        switch (name) {
            case "jackson":
                ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
                return text -> mapper.writeValueAsBytes(mapper.readValue(text, Object.class));
            case "gson":
                // What TypeAdapter.fromJson of Gson does by itself: its default, lenient only where it says so.
                Gson gson = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
                TypeAdapter<JsonElement> adapter = gson.getAdapter(JsonElement.class);
                return text -> adapter.toJson(adapter.fromJson(decoded(text))).getBytes(StandardCharsets.UTF_8);
            case "org.json":
                return text -> {
                    JSONTokener tokens = new JSONTokener(decoded(text));
                    Object value = tokens.nextValue();
                    if (tokens.nextClean() != 0) {
                        throw tokens.syntaxError("more after the value");
                    }
                    return org.json.JSONObject.valueToString(value).getBytes(StandardCharsets.UTF_8);
                };
            case "fastjson2":
                return text -> JSON.toJSONBytes(JSON.parse(text), JSONWriter.Feature.WriteMapNullValue);
            case "moshi":
                JsonAdapter<Object> values = new Moshi.Builder().build().adapter(Object.class).serializeNulls();
                return text -> values.toJson(values.fromJson(decoded(text))).getBytes(StandardCharsets.UTF_8);
            case "kotlinx.serialization":
                // Of Kotlin, called from Java: Json.parseToJsonElement, and the element as a text.
                return text -> Json.Default.parseToJsonElement(decoded(text)).toString().getBytes(StandardCharsets.UTF_8);
            default:
                throw new IllegalArgumentException("name a library");
        }
    }

    public static void main(String[] words) throws IOException {
        Library library = named(words[0]);
        String language = words[0].startsWith("kotlinx") ? "Kotlin" : "Java";
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        send(out, 'I', ("{\"name\":\"" + words[0] + "\",\"version\":\"" + words[1] + "\",\"language\":\"" + language + "\"}").getBytes(StandardCharsets.UTF_8));
        for (;;) {
            byte[] text;
            try {
                text = new byte[in.readInt()];
            } catch (EOFException end) {
                return;
            }
            in.readFully(text);
            byte[] written;
            try {
                written = library.read(text);
            } catch (Exception | StackOverflowError error) {
                byte[] why = String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8);
                send(out, 'R', why.length > 1000 ? java.util.Arrays.copyOf(why, 1000) : why);
                continue;
            }
            send(out, written == null ? 'a' : 'A', written == null ? new byte[0] : written);
        }
    }

    private static void send(DataOutputStream out, char first, byte[] body) throws IOException {
        out.writeInt(body.length + 1);
        out.write(first);
        out.write(body);
        out.flush();
    }
}
