// The server of the Kotlin JSON-RPC 2.0 Design, section 7: registered functions with metadata of their parameters.
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.contentOrNull

/** An error with a code of its own; the draft has an Int for it, the design a Long. */
class JsonRpcException(val code: Long, message: String, val data: JsonElement? = null) : IllegalStateException(message)

/** An error that the server finds itself, before a handler runs. */
private class Refused(val error: JsonRpcError) : Exception(error.message)

private fun refused(code: Long, message: String) = Refused(JsonRpcError(code, message))

data class ParameterMetaData<T>(val name: String, val serializer: KSerializer<T>, val isOptional: Boolean = false)

/** @property rest what an Array may have after the named parameters; null: nothing */
data class RpcMetaData(val parameters: List<ParameterMetaData<*>>, val rest: KSerializer<*>? = null) {
    constructor(vararg parameters: ParameterMetaData<*>, rest: KSerializer<*>? = null) : this(parameters.toList(), rest)

    init {
        require(parameters.none { it.name.isEmpty() }) { "a parameter has a name" }
        require(parameters.map { it.name }.distinct().size == parameters.size) { "parameters have distinct names" }
    }

    /** The list that a handler gets (section 7.2): as long as the declared parameters, with null for what was left out. */
    fun arguments(params: JsonElement?): List<Any?> = when (params) {
        null -> byPosition(emptyList())
        is JsonArray -> byPosition(params)
        is JsonObject -> byName(params)
        else -> throw refused(INVALID_PARAMS, "Invalid params")
    }

    private fun byPosition(given: List<JsonElement>): List<Any?> {
        if (given.size > parameters.size && rest == null) throw refused(INVALID_PARAMS, "too many params")
        val declared = parameters.mapIndexed { index, parameter -> read(parameter, given.getOrNull(index)) }
        return declared + given.drop(parameters.size).map { decode(rest!!, it) }
    }

    private fun byName(given: JsonObject): List<Any?> {
        val unknown = given.keys - parameters.map { it.name }.toSet()
        if (unknown.isNotEmpty()) throw refused(INVALID_PARAMS, "no parameter has that name")
        return parameters.map { read(it, given[it.name]) }
    }

    private fun read(parameter: ParameterMetaData<*>, given: JsonElement?): Any? = when {
        given != null -> decode(parameter.serializer, given)
        parameter.isOptional -> null
        else -> throw refused(INVALID_PARAMS, "${parameter.name} is missing")
    }

    private fun decode(serializer: KSerializer<*>, given: JsonElement): Any? = try {
        Json.decodeFromJsonElement(serializer, given)
    } catch (_: SerializationException) {
        throw refused(INVALID_PARAMS, "a parameter has the wrong type")
    } catch (_: IllegalArgumentException) {
        throw refused(INVALID_PARAMS, "a parameter has the wrong type")
    }
}

/** A group of functions that is registered as one, as Route.rpc does it in its block. */
fun interface Service {
    fun register(server: JsonRpcServer)
}

class JsonRpcServer(private val dialect: Dialect) {
    private class Registered(val metadata: RpcMetaData, val run: suspend (List<Any?>) -> JsonElement)

    private val methods = HashMap<String, Registered>()
    private val version = if (dialect == Dialect.VERSION_1) null else "2.0"

    fun <R> register(
        method: String,
        resultSerializer: KSerializer<R>,
        metadata: RpcMetaData,
        handler: suspend (List<Any?>) -> R,
    ) {
        methods[method] = Registered(metadata) { Json.encodeToJsonElement(resultSerializer, handler(it)) }
    }

    /** A call of such a method gets null: the design does not say what it gets. */
    fun registerNotification(method: String, metadata: RpcMetaData, handler: suspend (List<Any?>) -> Unit) {
        methods[method] = Registered(metadata) {
            handler(it)
            JsonNull
        }
    }

    /** The answer to a text, which may be a batch; null where nothing is owed. */
    suspend fun receive(text: String): String? {
        val message = try {
            Json.parseToJsonElement(text)
        } catch (_: SerializationException) {
            return failure(PARSE_ERROR, "Parse error", JsonNull).encode(dialect).toString()
        }
        return receive(message)?.toString()
    }

    suspend fun receive(message: JsonElement): JsonElement? {
        if (message !is JsonArray || dialect == Dialect.VERSION_1) return one(message)?.encode(dialect)
        if (message.isEmpty()) return failure(INVALID_REQUEST, "Invalid Request", JsonNull).encode(dialect)
        val answers = coroutineScope { message.map { async { one(it) } }.awaitAll() }.filterNotNull()
        return if (answers.isEmpty()) null else JsonArray(answers.map { it.encode(dialect) })
    }

    private suspend fun one(message: JsonElement): JsonRpcResponse? {
        val request = try {
            decode(message)
        } catch (_: IllegalArgumentException) {
            val id = (message as? JsonObject)?.get("id") as? JsonPrimitive
            return failure(INVALID_REQUEST, "Invalid Request", id?.takeIf { it.isStringOrNumber() } ?: JsonNull)
        }
        return receiveRpcCall(request)
    }

    /** Section 7.3: every error of section 5.1 of the specification is found here, before the handler. */
    suspend fun receiveRpcCall(request: JsonRpcRequest): JsonRpcResponse? {
        val response = try {
            val registered = methods[request.method] ?: throw refused(METHOD_NOT_FOUND, "Method not found")
            JsonRpcResponse(version, result = registered.run(registered.metadata.arguments(request.params)), id = request.id)
        } catch (gone: CancellationException) {
            throw gone
        } catch (error: Exception) {
            JsonRpcResponse(version, error = describe(error), id = request.id)
        }
        return response.takeUnless { request.isNotification }
    }

    private fun decode(message: JsonElement): JsonRpcRequest {
        require(message is JsonObject) { "a request is an Object" }
        val method = message["method"]
        require(method is JsonPrimitive && method.isString) { "method is a String" }
        val given = message["jsonrpc"]
        require(given == null || given is JsonNull || (given is JsonPrimitive && given.isString)) { "jsonrpc is a String" }
        val id = message["id"]
        require(id == null || id is JsonPrimitive) { "id is a String or a Number" }
        return JsonRpcRequest((given as JsonPrimitive?)?.contentOrNull, method.content, message["params"], id as JsonPrimitive?, dialect)
    }

    /** What the draft asks for in section 2.6, and the design's choice: an exception of a handler says nothing of itself. */
    private fun describe(error: Exception) = when {
        error is Refused -> error.error
        dialect == Dialect.KOTLINX_RPC -> {
            val code = (error as? JsonRpcException)?.code ?: -32000L
            JsonRpcError(code, error.message ?: error::class.simpleName.orEmpty(), details(error))
        }
        error is JsonRpcException -> JsonRpcError(error.code, error.message!!, error.data)
        else -> JsonRpcError(INTERNAL_ERROR, "Internal error")
    }

    private fun details(error: Exception) = buildJsonObject {
        put("class", JsonPrimitive(error::class.qualifiedName))
        put("stackTrace", JsonPrimitive(error.stackTraceToString()))
    }

    private fun failure(code: Long, message: String, id: JsonPrimitive) =
        JsonRpcResponse(version, error = JsonRpcError(code, message), id = id)
}
