import com.google.gson.JsonElement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.services.JsonNotification;
import org.eclipse.lsp4j.jsonrpc.services.JsonRequest;

/** An lsp4j.jsonrpc server on standard input and output, written as its documentation shows. */
public class Server {
    /** What the server may call on its client: nothing. */
    public interface Client {}

    private final AtomicInteger took = new AtomicInteger();

    @JsonRequest
    public CompletableFuture<Number> subtract(double minuend, double subtrahend) {
        return CompletableFuture.completedFuture(number(minuend - subtrahend));
    }

    @JsonRequest("get_data")
    public CompletableFuture<List<Object>> getData() {
        return CompletableFuture.completedFuture(List.of("hello", 5));
    }

    @JsonRequest
    public CompletableFuture<JsonElement> echo(JsonElement params) {
        return CompletableFuture.completedFuture(params);
    }

    @JsonRequest
    public CompletableFuture<Object> fail() {
        throw new IllegalStateException("the handler failed");
    }

    @JsonRequest("app_error")
    public CompletableFuture<Object> appError(int code, JsonElement data) {
        throw new ResponseErrorException(new ResponseError(code, "application error", data));
    }

    @JsonRequest
    public CompletableFuture<Integer> slow(int ms) {
        return CompletableFuture.supplyAsync(
                () -> ms, CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS));
    }

    @JsonRequest
    public CompletableFuture<Integer> count() {
        return CompletableFuture.completedFuture(took.get());
    }

    @JsonNotification("notify_hello")
    public void notifyHello(JsonElement params) {
        took.incrementAndGet();
    }

    private static Number number(double value) {
        if (value == Math.rint(value)) {
            return (long) value;
        }
        return value;
    }

    public static void main(String[] args) throws Exception {
        Launcher<Client> launcher =
                Launcher.createLauncher(new Server(), Client.class, System.in, System.out);
        launcher.startListening().get();
    }
}
