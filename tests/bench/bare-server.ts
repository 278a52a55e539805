/** The least that Node can do: `node:http` sending the bytes and headers of one answer, kept in memory. */
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';

get(process.env.COPY_OF ?? '', { headers: { 'accept-encoding': 'br' } }, async (answer) => {
  const body = Buffer.concat(await answer.toArray());
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers;
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on('SIGTERM', () => process.exit(0));
});
