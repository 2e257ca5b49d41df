// Walks through the MCP server with the protocol's own client for JavaScript and no person: 401, metadata, registration,
// consent, tools, a call that needs a wider consent, refresh, revocation. On the way it answers a question as an assistant
// would: it searches, adds a keyword, and has a feed alert a webhook. It prints a transcript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const demo = JSON.parse(readFileSync(process.env.EARSHOT_DEMO));
const endpoint = new URL(`${demo.baseUrl}/api/mcp/v2`);
const own = "http://127.0.0.1:8976/callback"; // nobody listens there: what the browser is sent to is read

async function local(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(demo.baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

// provider keeps what the client learns, and is the browser and the member in it.
const kept = {};
const provider = {
  redirectUrl: own,
  clientMetadata: { client_name: "A JavaScript program", redirect_uris: [own], token_endpoint_auth_method: "none" },
  state: () => (kept.state = crypto.randomUUID()),
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  // While the client has a refresh token, it refreshes at a 403, and gives up at the next (1.32.2). So it is without one
  // after a 403, and asks the person.
  tokens: () => (kept.tokens && kept.lacking ? { ...kept.tokens, refresh_token: undefined } : kept.tokens),
  saveTokens: (tokens) => { Object.assign(kept, { tokens, lacking: false }); },
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  codeVerifier: () => kept.verifier,
  async redirectToAuthorization(url) {
    const asked = url.searchParams.get("scope").split(" ");
    const scopes = kept.tokens ? asked : ["read"]; // the member is careful at first
    const { redirectTo } = await local("POST", "/_local/consent", {
      authorizeUrl: url.href, email: "support@northwind.example", workspace: demo.workspaces.northwind, scopes,
    });
    const back = new URL(redirectTo).searchParams;
    assert.equal(back.get("state"), kept.state);
    assert.equal(back.get("iss"), demo.baseUrl);
    console.log(`  the member consents to: ${scopes.join(" ")}`);
    kept.code = back.get("code");
  },
};

// told sends a request and tells of it. Of the metadata, which the client reads again each time, it tells once; of the same
// response after the same request, too.
const known = new Set();
let last;
async function told(url, init) {
  const response = await fetch(url, init);
  const line = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
  const grant = init?.body instanceof URLSearchParams && init.body.get("grant_type");
  const challenge = response.headers.get("www-authenticate")?.match(/(error|scope)="[^"]*"/g) ?? [];
  const text = ["  " + line, grant && `(${grant})`, "=", response.status, ...challenge].filter(Boolean).join(" ");
  if (!known.has(line) && text !== last) console.log(text);
  last = text;
  if (line.includes("/.well-known/")) known.add(line);
  if (response.status === 403) kept.lacking = true;
  return response;
}

// asking runs what may need the person, and once more when the person has consented.
async function asking(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await kept.transport.finishAuth(kept.code);
    return work();
  }
}

async function connect() {
  kept.transport = new StreamableHTTPClientTransport(endpoint, { authProvider: provider, fetch: told });
  const client = new Client({ name: "a JavaScript program", version: "1" });
  await client.connect(kept.transport);
  return client;
}

// call calls a tool. It calls again for a while when the tool responds with a code that says that it is too early.
const called = new Set();
async function call(name, args, early) {
  called.add(name);
  for (let tries = 0; ; tries++) {
    const result = await asking(() => client.callTool({ name, arguments: args }));
    if (!result.isError) return result.structuredContent;
    const text = result.content[0].text;
    assert.ok(tries < 50 && early === JSON.parse(text).error.code, `${name} ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

console.log("connect");
const client = await asking(connect);
const { tools } = await client.listTools();
assert.equal(kept.tokens.scope, "read");
console.log(`${client.getServerVersion().name} has ${tools.length} tools`);

console.log("search: who talks about northwind?");
let found = await call("search", { query: "northwind", maxResults: 5, timeWindow: "30d" });
for (let tries = 0; found.status !== "completed" && tries < 50; tries++) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  found = await call("search", { searchId: found.searchId });
}
console.log(`${found.mentions.length} results, the first from ${found.mentions[0].source}`);

console.log("add_keyword, which needs more than read");
const keyword = await call("add_keyword", { keyword: "Tidewater gauge" });
assert.equal(kept.tokens.scope, "read write");
console.log("create_feed and add_feed_destination");
const feed = await call("create_feed", { name: "Gauges", simpleFilters: { keyword: [keyword.id] } });
const url = `${demo.baseUrl}/_local/hooks/assistant`;
await call("add_feed_destination", { id: feed.id, destination: { type: "WEBHOOK", webhookDestination: { url } } });

console.log("someone writes about it");
const sourceId = "hackernews_comment_8800001";
await local("POST", "/_local/posts", {
  source: "hackernews", sourceId, url: "https://posts.example/gauge", author: "quietharbor",
  timestamp: new Date().toISOString(), body: "The Tidewater gauge told me to move the boat before the flood. I love it.",
});
let alerted;
for (let tries = 0; !alerted && tries < 100; tries++) {
  const { requests } = await local("GET", "/_local/hooks/assistant");
  alerted = requests.find((request) => request.body.includes(sourceId));
  await new Promise((resolve) => setTimeout(resolve, 100));
}
assert.equal(JSON.parse(alerted.body).type, "mention.created");
console.log("the webhook is alerted: mention.created");
const mention = await call("get_mention", { sourceId });
assert.equal(mention.sourceId, sourceId);

// The client holds each result against the schema of its tool.
console.log("every other tool");
const suggestions = await call("list_keyword_suggestions", {});
await local("POST", "/_local/flags", { workspace: demo.workspaces.northwind, flag: "setup_onboarding", on: true });
const { draftId } = await call("propose_setup", { domain: "northwind.example" });
await call("propose_setup", { draftId }, "INVALID_INPUT");
for (const [name, args] of [
  ["list_mentions", { includeAll: true, includeEngagementMetrics: true, limit: 50 }],
  ["analytics", { aggregates: ["count"], dimensions: ["source"] }],
  ["find_keyword", { text: "tidewater" }],
  ["update_keyword", { id: keyword.id, context: "Instruments for harbours." }],
  ["pause_keyword", { id: keyword.id, paused: true }],
  ["update_feed", { id: feed.id, name: "Instruments" }],
  ["remove_feed_destination", { id: feed.id, type: "WEBHOOK" }],
  ["delete_feed", { id: feed.id }],
  ["delete_keyword", { id: keyword.id }],
  ["reject_keyword_suggestion", { id: suggestions.data[0].id }],
  ["get_setup_proposal", { id: draftId }],
  ...["list_feeds", "get_workspace", "get_usage", "list_tags", "get_global_filters"].map((name) => [name, {}]),
]) await call(name, args);
const uncalled = tools.map((tool) => tool.name).filter((name) => !called.has(name));
assert.deepEqual(uncalled, ["accept_keyword_suggestion", "list_keywords"]); // the demo has one suggestion, which was rejected
console.log("an hour later");
const before = kept.tokens;
await local("POST", "/_local/clock", { now: new Date(Date.now() + 3_700_000).toISOString() });
await call("list_keywords", {});
assert.notEqual(kept.tokens.access_token, before.access_token);
assert.notEqual(kept.tokens.refresh_token, before.refresh_token);

console.log("revoke");
const { client_id } = kept.client;
const revoked = await told(`${demo.baseUrl}/oauth/revoke`, {
  method: "POST", body: new URLSearchParams({ token: kept.tokens.refresh_token, client_id }),
});
assert.equal(revoked.status, 200);
await assert.rejects(client.callTool({ name: "list_keywords", arguments: {} }), /unknown, expired, used or revoked/);
await local("POST", "/_local/clock", { now: null });
console.log("the client for JavaScript: 401, consent, search, step-up, keyword, feed, alert,",
  `${called.size} tools, refresh and revocation`);
