// A proxy for the conformance suite, which cannot send a key. It adds the header Authorization to requests that have none.
// In Host and Origin it writes the server's own address in place of its own. Any other host arrives as it was sent.
import http from "node:http";

export function bearer(target, key) {
  const { hostname, port, host } = new URL(target);
  const server = http.createServer((request, response) => {
    const own = new RegExp(`^(http://)?(127\\.0\\.0\\.1|localhost):${server.address().port}$`);
    const headers = request.rawHeaders.map((value, i, all) => (
      i % 2 === 1 && /^(host|origin)$/i.test(all[i - 1]) ? value.replace(own, (_, scheme = "") => scheme + host) : value
    ));
    if (!request.headers.authorization) headers.push("Authorization", `Bearer ${key}`);
    const asked = { hostname, port, method: request.method, path: request.url, headers, setHost: false };
    const onward = http.request(asked, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
