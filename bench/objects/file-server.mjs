// The floor to compare reads with: Node's own stream of a file, and nothing else.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const [folder] = process.argv.slice(2);
const server = createServer((request, response) => {
  const file = path.join(folder, path.basename(request.url ?? ""));
  stat(file).then(
    ({ size }) => {
      response.writeHead(200, { "content-length": size, "content-type": "application/octet-stream" });
      createReadStream(file).pipe(response);
    },
    () => response.writeHead(404).end(),
  );
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
