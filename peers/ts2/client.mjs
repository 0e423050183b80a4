// The TypeScript SDK 2.x's client for any server: `node client.mjs COMMAND ARGS…`.
// Each step is one line of JSON, in the same order in all four clients.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'ts2', version: '1.0.0' });
const report = (step, value) => console.log(JSON.stringify({ step, value }));
const call = (name, given) => client.callTool({ name, arguments: given });
const summary = (result) => ({
    text: result.content[0].text,
    isError: result.isError ?? false,
});

await client.connect(new StdioClientTransport({ command, args }));
report('handshake', client.getServerVersion());
report('list', (await client.listTools()).tools.map((tool) => tool.name));
report('call', summary(await call('echo', { text: '你好' })));
report('failing', summary(await call('echo', { text: 5 })));
try {
    report('unknown', summary(await call('no_such_tool', {})));
} catch (error) {
    report('unknown', { code: error.code });
}
await client.ping();
report('ping', true);
const texts = Array.from({ length: 20 }, (_, i) => `${i}`);
const results = await Promise.all(texts.map((text) => call('echo', { text })));
report('together', results.map((result) => result.content[0].text));
await client.close();
report('closed', true);
