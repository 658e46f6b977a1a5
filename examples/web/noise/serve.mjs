// Serves the page: `node serve.mjs [PORT]`. Any other server of files does as well.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** Starts a server on this machine. `wasm` is the file to serve as `noise.wasm`, if it is not beside the page. */
export async function serve(port, wasm) {
  const page = new URL('page/', import.meta.url);
  const server = createServer(async (request, response) => {
    // Names without a path in them: nothing but the page can be read.
    const name = request.url.split('?')[0].slice(1) || 'index.html';
    const file = name === 'noise.wasm' && wasm ? wasm : new URL(name.replace(/[^\w.-]/g, ''), page);
    try {
      const content = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'cache-control': 'no-cache' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8000));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
