"""A server on the Python SDK. The four small servers have the same tools."""

import asyncio

from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("py", version="1.0.0")


@server.tool()
def echo(text: str) -> str:
    return text


@server.tool()
def fail() -> str:
    raise ValueError("it broke")


@server.tool()
async def wait(ms: int) -> str:
    await asyncio.sleep(ms / 1000)
    return str(ms)


@server.tool()
async def ping_back(times: int, ctx: Context) -> str:
    """Sends requests to the client while its own call is pending."""
    for _ in range(times):
        await ctx.session.send_ping()
    return f"{times} pongs"


@server.tool()
async def ask_roots(ctx: Context) -> str:
    try:
        await ctx.session.list_roots()
        return "roots received"
    except MCPError as error:
        return str(error.error.code)


server.run("stdio")
