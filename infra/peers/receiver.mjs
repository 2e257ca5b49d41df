// Has the workbench deliver a mention to a webhook, before and after its secret is rotated, and verifies each event by the
// library of Standard Webhooks for JavaScript: with the old and with the new secret.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const demo = JSON.parse(readFileSync(process.env.EARSHOT_DEMO));

async function send(method, path, body, key) {
  const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(demo.baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
const ask = (method, path, body) => send(method, "/api/v2" + path, body, demo.keys.admin);

const url = `${demo.baseUrl}/_local/hooks/receiver`;
const feed = await ask("POST", "/feeds", { name: "For a receiver", destinations: [{ type: "WEBHOOK", webhookDestination: { url } }] });
let number = 0;

async function delivered() {
  const sourceId = `hackernews_comment_77000${++number}`;
  await send("POST", "/_local/posts", {
    source: "hackernews", sourceId, url: `https://posts.example/${number}`, author: "quietharbor", timestamp: new Date().toISOString(),
    body: "Northwind woke me up for the outage before the customers noticed 🌊. <script>Love it.</script>",
  });
  for (let tries = 0; tries < 100; tries++) {
    const { requests } = await send("GET", "/_local/hooks/receiver");
    const found = requests.find((request) => request.body.includes(sourceId));
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${sourceId} did not arrive`);
}

function verify(request, secret) {
  const event = new Webhook(secret).verify(request.body, request.headers); // throws unless it is signed
  if (event.type !== "mention.created" || event.data.feed.id !== feed.id) throw new Error(`unexpected: ${request.body}`);
  return event.data.sequence;
}

const { secret: first } = await ask("GET", `/feeds/${feed.id}/signing-secret`);
const before = await delivered();
const { secret: second, previous } = await ask("POST", `/feeds/${feed.id}/signing-secret/rotate`);
const after = await delivered();
if (previous !== first || second === first) throw new Error("the rotation did not keep the secret before");
const sequences = [verify(before, first), verify(after, first), verify(after, second)];
let refused = 0;
for (const [request, secret] of [[before, second], [{ ...after, body: after.body + " " }, second], [{ ...after, headers: { ...after.headers, "webhook-id": "evt_other" } }, second]]) {
  try {
    verify(request, secret);
  } catch (error) {
    refused += error.name === "WebhookVerificationError" || /signature/i.test(error.message) ? 1 : 0;
  }
}
if (sequences.join() !== "1,2,2" || refused !== 3 || !before.verified || !after.verified) {
  throw new Error(`sequences ${sequences}, ${refused} of 3 refused, verified ${before.verified} ${after.verified}`);
}
await ask("DELETE", `/feeds/${feed.id}`);
console.log("2 events verified by 3 secrets, 3 forgeries refused");
