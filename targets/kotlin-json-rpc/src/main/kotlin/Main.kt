// server stdio|websocket [PORT] design|kotlinx-rpc|1.0
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.routing.Route
import io.ktor.server.routing.routing
import io.ktor.server.websocket.WebSockets
import io.ktor.server.websocket.webSocket
import io.ktor.websocket.Frame
import io.ktor.websocket.WebSocketSession
import io.ktor.websocket.readText
import io.ktor.websocket.send
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlin.system.exitProcess

/** A message a line on standard input and output. */
class LineTransport(scope: CoroutineScope) : JsonRpcTransport, CoroutineScope by scope {
    private val input = System.`in`.bufferedReader(Charsets.UTF_8)
    private val output = System.out.bufferedWriter(Charsets.UTF_8)

    override suspend fun send(message: String) {
        output.write(message)
        output.write("\n")
        output.flush()
    }

    override suspend fun receive(): String? = withContext(Dispatchers.IO) { input.readLine() }
}

/** The transport that section 3.1 of the draft prints. */
class KtorTransport(private val session: WebSocketSession) : JsonRpcTransport, CoroutineScope by session {
    override suspend fun send(message: String) = session.send(message)

    override suspend fun receive(): String? {
        val frame = session.incoming.receiveCatching().getOrNull() ?: return null
        return (frame as? Frame.Text ?: error("Unsupported websocket frame type: ${frame::class}. Expected Frame.Text")).readText()
    }
}

/** Appendix B of the draft: a connection serves the services that are registered for its route. */
fun Route.rpc(path: String, dialect: Dialect, services: List<(Endpoint) -> Service>) =
    webSocket(path) { Endpoint(dialect, KtorTransport(this), services).awaitCompletion() }

fun Application.serve(dialect: Dialect) {
    install(WebSockets)
    routing {
        rpc("/rpc", dialect, all(dialect))
        rpc("/arithmetic", dialect, listOf({ _ -> Arithmetic(dialect) }))
    }
}

fun all(dialect: Dialect): List<(Endpoint) -> Service> = listOf({ _ -> Arithmetic(dialect) }, { _ -> Meter() }, { Streams(it) })

fun main(words: Array<String>) {
    val dialect = when (words.lastOrNull()) {
        "design" -> Dialect.DESIGN
        "kotlinx-rpc" -> Dialect.KOTLINX_RPC
        "1.0" -> Dialect.VERSION_1
        else -> exitProcess(2)
    }
    when (words.first()) {
        "stdio" -> runBlocking(Dispatchers.Default) { Endpoint(dialect, LineTransport(this), all(dialect)).awaitCompletion() }
        "websocket" -> embeddedServer(CIO, host = "127.0.0.1", port = words[1].toInt()) { serve(dialect) }.start(wait = true)
        else -> exitProcess(2)
    }
}
