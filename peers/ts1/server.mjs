// A server on the TypeScript SDK 1.x. The four small servers have the same tools.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const server = new McpServer({ name: 'ts1', version: '1.0.0' });
const text = (text) => ({ content: [{ type: 'text', text }] });
const tool = (name, inputSchema, run) =>
    server.registerTool(name, { description: name, inputSchema }, run);

tool('echo', { text: z.string() }, ({ text: given }) => text(given));
tool('fail', {}, () => { throw new Error('it broke'); });
tool('wait', { ms: z.number() }, async ({ ms }) => {
    await sleep(ms);
    return text(`${ms}`);
});
// Sends requests to the client while its own call is pending.
tool('ping_back', { times: z.number() }, async ({ times }) => {
    for (let i = 0; i < times; i++) await server.server.ping();
    return text(`${times} pongs`);
});
tool('ask_roots', {}, async () => {
    try {
        await server.server.listRoots();
        return text('roots received');
    } catch (error) {
        return text(`${error.code}`);
    }
});

await server.connect(new StdioServerTransport());
