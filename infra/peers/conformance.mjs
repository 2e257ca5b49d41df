// Runs the conformance suite of the Model Context Protocol against the workbench, and against the fixture, which has the
// tools that the suite wants. The suite itself holds failures against conformance/*.yaml: it fails on one that is not there,
// and on one that is there and passes. Scenarios in "held" must have passed with at least one check.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { bearer } from "./bearer.mjs";

const suite = new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;
const path = "/api/mcp/v2";
const held = {
  "2026-07-28": ["tools-list", "http-header-validation", "dns-rebinding-protection"],
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2025-06-18": ["server-initialize", "ping", "tools-list"],
};
const heldOfFixture = {
  "2026-07-28": [
    "server-stateless", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
    "tools-call-mixed-content", "tools-call-error", "json-schema-2020-12", "http-custom-header-server-validation",
    "input-required-result-basic-elicitation", "input-required-result-multi-round", "input-required-result-tampered-state",
  ],
  "2025-11-25": ["tools-call-simple-text", "tools-call-error", "json-schema-2020-12"],
  "2025-06-18": ["tools-call-simple-text", "tools-call-error"],
};

// conformance runs the suite, by the Node that runs this, and returns what it prints. seen gets each piece as it comes.
function conformance(args, seen = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    const late = setTimeout(() => child.kill(), 90_000);
    let text = "";
    child.stdout.on("data", (piece) => {
      process.stderr.write(piece);
      text += piece;
      seen(text);
    });
    child.on("close", (code) => {
      clearTimeout(late);
      if (code === 0) resolve(text);
      else reject(new Error(`conformance ${args.join(" ")} ended with ${code}`));
    });
  });
}

async function server(name, demo, revision, mustPass) {
  const proxy = await bearer(demo.baseUrl, demo.keys.admin);
  try {
    const text = await conformance([
      "server", "--url", `http://127.0.0.1:${proxy.address().port}${path}`, "--suite", "all", "--spec-version", revision,
      "--expected-failures", new URL(`conformance/${name}.yaml`, import.meta.url).pathname,
    ]);
    const scenarios = [...text.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
      ([, mark, scenario, passed, failed]) => ({ scenario, ok: mark === "✓", passed: Number(passed), failed: Number(failed) }),
    );
    for (const scenario of mustPass) {
      const found = scenarios.find((one) => one.scenario === scenario);
      if (!found?.ok || found.passed === 0) throw new Error(`${scenario} at ${revision} did not pass on the ${name}`);
    }
    const passing = scenarios.filter((one) => one.ok && one.passed > 0).length;
    const empty = scenarios.filter((one) => one.ok && one.passed === 0).length;
    const sum = (what) => scenarios.reduce((all, one) => all + one[what], 0);
    console.log(`${name}, ${revision}: ${scenarios.length} scenarios, ${passing} pass, ${empty} find nothing to check;`,
      `${sum("passed")} checks pass, ${sum("failed")} fail as expected`);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

async function send(url, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

// freePort returns a port that nobody listens on.
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// visit opens the address that the browser is sent to. The suite prints its question before it listens for the answer.
async function visit(address) {
  for (let tries = 0; ; tries++) {
    try {
      return await (await fetch(address)).text();
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

// authorization runs the scenarios of authorization servers. The person that the suite waits for consents on the workbench.
async function authorization(demo) {
  const port = await freePort();
  const { client_id } = await send(`${demo.baseUrl}/oauth/register`, {
    client_name: "Conformance suite", redirect_uris: ["http://127.0.0.1/callback"],
  });
  let consented;
  const text = await conformance([
    "authorization", "--url", demo.baseUrl, "--client-id", client_id, "--resource", demo.baseUrl + path, "--port", String(port),
  ], (text) => {
    const [authorizeUrl] = text.match(/^http\S+\/oauth\/authorize\?\S+(?=\n)/m) ?? [];
    if (authorizeUrl && !consented) {
      consented = send(`${demo.baseUrl}/_local/consent`, {
        authorizeUrl, email: "support@northwind.example", workspace: demo.workspaces.northwind, scopes: ["read"],
      }).then(({ redirectTo }) => visit(redirectTo));
    }
  });
  await consented;
  const [total] = text.match(/^Total: .*$/m) ?? ["no total"];
  if (total !== "Total: 3 passed, 0 failed") throw new Error(`authorization: ${total}`);
  console.log("authorization: 3 checks pass");
}

const read = (name) => JSON.parse(readFileSync(process.env[name]));
const demo = read("EARSHOT_DEMO");
const fixture = read("EARSHOT_FIXTURE");
for (const revision of Object.keys(held)) {
  await server("workbench", demo, revision, held[revision]);
  await server("fixture", fixture, revision, [...held[revision], ...heldOfFixture[revision]]);
}
await authorization(demo);
