// An MCP server of the official Kotlin SDK over standard input and output.
import io.modelcontextprotocol.kotlin.sdk.server.Server
import io.modelcontextprotocol.kotlin.sdk.server.ServerOptions
import io.modelcontextprotocol.kotlin.sdk.server.StdioServerTransport
import io.modelcontextprotocol.kotlin.sdk.types.CallToolResult
import io.modelcontextprotocol.kotlin.sdk.types.Implementation
import io.modelcontextprotocol.kotlin.sdk.types.ServerCapabilities
import io.modelcontextprotocol.kotlin.sdk.types.TextContent
import io.modelcontextprotocol.kotlin.sdk.types.ToolSchema
import kotlinx.coroutines.Job
import kotlinx.coroutines.runBlocking
import kotlinx.io.asSink
import kotlinx.io.asSource
import kotlinx.io.buffered
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

fun main() {
    val options = ServerOptions(capabilities = ServerCapabilities(tools = ServerCapabilities.Tools(listChanged = true)))
    val server = Server(Implementation(name = "demo", version = "1.0.0"), options)
    val schema = ToolSchema(
        properties = buildJsonObject { putJsonObject("text") { put("type", "string") } },
        required = listOf("text"),
    )
    server.addTool(name = "echo", description = "Give a text back", inputSchema = schema) { request ->
        CallToolResult(content = listOf(TextContent(request.arguments?.get("text")?.jsonPrimitive?.content ?: "")))
    }
    runBlocking {
        val closed = Job()
        server.onClose { closed.complete() }
        server.createSession(StdioServerTransport(System.`in`.asSource().buffered(), System.out.asSink().buffered()))
        closed.join()
    }
}
