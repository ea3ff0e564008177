// One connection, in both directions: draft-youssef-na-jsonrpc, sections 2.8 and 4.
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.produceIn
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.long
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

const val NEXT_FLOW_VALUE = "kotlinx.rpc.jsonrpc.internal.nextFlowValue"
const val CANCEL_FLOW = "kotlinx.rpc.jsonrpc.internal.cancelFlow"
const val FLOW_COMPLETED = -32001L

interface JsonRpcTransport : CoroutineScope {
    suspend fun send(message: String)

    /** The next message, or null when there is none to come. */
    suspend fun receive(): String?
}

class Endpoint(dialect: Dialect, private val transport: JsonRpcTransport, services: List<(Endpoint) -> Service>) {
    private val server = JsonRpcServer(dialect)
    private val sending = Mutex()
    private val lastCall = AtomicLong()
    private val pending = ConcurrentHashMap<Long, CompletableDeferred<JsonObject>>()
    private val work = CoroutineScope(transport.coroutineContext + SupervisorJob(transport.coroutineContext[Job]))
    private val flows = Flows(work)

    init {
        services.forEach { it(this).register(server) }
        flows.register(server)
    }

    /** Serves until nothing more comes, and then what is still running: a call in flight is answered. */
    suspend fun awaitCompletion() {
        while (true) {
            val text = transport.receive() ?: break
            // What does not wait for anything is done before the next message is read.
            work.launch(start = CoroutineStart.UNDISPATCHED) { handle(text) }
        }
        val calls = work.coroutineContext[Job]!!
        flows.cancel()
        calls.children.forEach { it.join() }
        work.cancel()
    }

    private suspend fun handle(text: String) {
        val answer = answerOfOurs(text)
        if (answer == null) server.receive(text)?.let { send(it) }
    }

    /** Completes the call of ours that a message answers; null where it answers none. */
    private fun answerOfOurs(text: String): Unit? {
        if (pending.isEmpty()) return null
        val message = try {
            Json.parseToJsonElement(text) as? JsonObject
        } catch (_: SerializationException) {
            null
        }
        val id = (message?.get("id") as? JsonPrimitive)?.content?.toLongOrNull()
        if (message == null || id == null || "method" in message) return null
        pending.remove(id)?.complete(message) ?: return null
        return Unit
    }

    suspend fun send(message: String) = sending.withLock { transport.send(message) }

    suspend fun notify(method: String, params: JsonElement) = send(message(method, params, null).toString())

    private suspend fun call(method: String, params: JsonElement): JsonObject {
        val id = lastCall.incrementAndGet()
        val answer = CompletableDeferred<JsonObject>()
        pending[id] = answer
        send(message(method, params, id).toString())
        return answer.await()
    }

    private fun message(method: String, params: JsonElement, id: Long?) = buildJsonObject {
        put("jsonrpc", JsonPrimitive("2.0"))
        put("method", JsonPrimitive(method))
        put("params", params)
        id?.let { put("id", JsonPrimitive(it)) }
    }

    suspend fun <T> giveOut(flow: Flow<T>, encode: (T) -> JsonElement): Long = flows.giveOut(flow, encode)

    /** The Flow that the client gave the id of: each item is a call of ours. */
    fun flowOfClient(id: JsonElement): Flow<JsonElement> = flow {
        while (true) {
            val answer = call(NEXT_FLOW_VALUE, JsonArray(listOf(id)))
            val error = answer["error"] as? JsonObject
            val code = (error?.get("code") as? JsonPrimitive)?.long
            if (code == FLOW_COMPLETED) break
            if (code != null) throw IllegalStateException("the client's Flow failed")
            emit(answer["result"] ?: JsonNull)
        }
    }
}

/** The Flows that a connection was given the ids of: cold until the first pull, and forgotten when they end. */
private class Flows(private val scope: CoroutineScope) {
    private class Open(val begin: () -> ReceiveChannel<JsonElement>) {
        val pulling = Mutex()
        var items: ReceiveChannel<JsonElement>? = null
    }

    private val last = AtomicLong()
    private val open = ConcurrentHashMap<Long, Open>()

    fun <T> giveOut(flow: Flow<T>, encode: (T) -> JsonElement): Long {
        val id = last.incrementAndGet()
        val items = flow { flow.collect { emit(encode(it)) } }
        open[id] = Open { items.buffer(Channel.RENDEZVOUS).produceIn(scope) }
        return id
    }

    fun register(server: JsonRpcServer) {
        val id = RpcMetaData(ParameterMetaData("id", WholeNumber))
        server.register(NEXT_FLOW_VALUE, JsonElement.serializer(), id) { next(it[0] as Long) }
        server.register(CANCEL_FLOW, Unit.serializer(), id) { stop(it[0] as Long) }
    }

    fun cancel() = open.keys.forEach { stop(it) }

    private fun stop(id: Long) {
        open.remove(id)?.items?.cancel()
    }

    private suspend fun next(id: Long): JsonElement {
        val flow = open[id] ?: throw if (id in 1..last.get()) completed() else JsonRpcException(INVALID_PARAMS, "no such Flow")
        return flow.pulling.withLock {
            val items = flow.items ?: flow.begin().also { flow.items = it }
            val item = items.receiveCatching()
            if (!item.isSuccess) {
                open.remove(id)
                throw item.exceptionOrNull() ?: completed()
            }
            item.getOrThrow()
        }
    }

    private fun completed() = JsonRpcException(FLOW_COMPLETED, "the Flow is complete")
}
