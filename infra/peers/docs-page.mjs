// Opens the documentation page in a browser and uses it as a developer would. EARSHOT_DEMO names the demo.json of the
// workbench, CHROMIUM the browser, the first argument the folder that takes the screenshots.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const demo = JSON.parse(readFileSync(process.env.EARSHOT_DEMO, "utf8"));
const pictures = process.argv[2];
const root = `${demo.baseUrl}/api/v2`;
const key = { Authorization: `Bearer ${demo.keys.read}` };

const document = await (await fetch(`${root}/openapi.json`)).json();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const list = await fetch(`${root}/mentions`, {
  method: "POST", headers: { ...key, "Content-Type": "application/json" }, body: '{"limit":1}',
});
assert.equal(list.status, 200, "the read key cannot list mentions");
const [mention] = (await list.json()).data;
assert.ok(mention, "the read key's workspace has no mention to ask for");

// A profile of its own each time: nothing is cached, remembered or updated. No name resolves, so that neither the page nor
// the browser itself can reach anything but this machine.
const profile = mkdtempSync(join(tmpdir(), "docs-page-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM,
  viewport: { width: 1280, height: 900 },
  reducedMotion: "reduce", // no picture is taken halfway between two colours
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});
browser.setDefaultTimeout(60_000); // a busy machine takes its time

const faults = [];
await browser.addInitScript(() => addEventListener("securitypolicyviolation", (violation) =>
  console.error(`content security policy: ${violation.violatedDirective} stopped ${violation.blockedURI}`)));
await browser.route((url) => url.host !== new URL(root).host && !["data:", "blob:"].includes(url.protocol), (route) => {
  faults.push(`the page asked another host: ${route.request().url()}`);
  return route.abort();
});

/** Opens the page; whatever goes wrong on it from then on is a fault. */
async function open(watched = faults, place = "") {
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && watched.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => watched.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => watched.push(`failed: ${request.url()}`));
  page.on("response", (response) => response.status() >= 400 && watched.push(`${response.status()}: ${response.url()}`));
  await page.goto(`${root}/docs${place}`);
  return page;
}

/** Takes a picture, and answers the texts that do not stand out from their ground: below 4.5 to 1 (WCAG 2.2, 1.4.3). */
async function shoot(page, name, size) {
  await page.setViewportSize(size);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  return page.evaluate(() => {
    const numbers = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = (color) => numbers(color).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (element) => {
      const color = element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
      return (numbers(color)[3] ?? 1) > 0.5 ? color : ground(element.parentElement);
    };
    const faint = new Set();
    for (const element of window.document.querySelectorAll("body *")) {
      const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join(" ").trim();
      if (!words || !element.checkVisibility({ visibilityProperty: true })) continue;
      const [low, high] = [getComputedStyle(element).color, ground(element)].map(luminance).sort((a, b) => a - b);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < 4.5) faint.add(`${element.className || element.localName}: ${words.slice(0, 30)} (${ratio.toFixed(1)})`);
    }
    return [...faint];
  });
}

const step = (text) => console.log(`   ${text}`);
try {
  const page = await open();
  await page.locator(".opblock-tag").first().waitFor();
  for (const { name: tag } of document.tags) {
    const group = page.locator(`#operations-tag-${tag}`);
    await group.click();
    for (const { operationId } of operations.filter(({ tags }) => tags[0] === tag)) {
      await page.locator(`#operations-${tag}-${operationId}`).waitFor({ state: "visible" });
    }
    await group.click();
  }
  step(`lists the ${operations.length} operations of the document, in ${document.tags.length} groups`);

  // The whole way by keyboard: each stop must show where one is.
  const stops = new Set();
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    const { name, ring } = await page.evaluate(() => {
      const element = window.document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { name: element.outerHTML.slice(0, 120), ring: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
    });
    assert.ok(ring, `the keyboard's focus is not visible on ${name}`);
    stops.add(name);
  }
  assert.ok(stops.size > 10, `the keyboard reaches ${stops.size} places only`);
  step("shows the keyboard's focus");

  await page.locator(".btn.authorize").first().click();
  await page.locator(".auth-container input").fill(demo.keys.read);
  await page.locator(".auth-btn-wrapper .authorize").click();
  await page.locator(".auth-btn-wrapper .btn-done").click();
  await page.locator("#operations-tag-mentions").click();
  const block = page.locator("#operations-mentions-getMentionById");
  await block.locator(".opblock-summary-control").click();
  await block.locator('tr[data-param-name="id"] input').fill(mention.sourceId);
  await block.locator(".btn.execute").click();
  const answer = block.locator(".live-responses-table .response").first();
  await answer.waitFor();
  assert.match(await answer.locator(".response-col_status").innerText(), /^200\b/);
  assert.ok((await answer.innerText()).includes(mention.sourceId), "the answer does not hold the mention");
  step("authorizes with the read key and reads a mention");

  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await shoot(page, "docs-page", { width: 1280, height: 1800 }), [], "too little contrast");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await shoot(page, "docs-page-dark", { width: 1280, height: 1800 }), [], "too little contrast in the dark");
  await page.emulateMedia({ colorScheme: "light" });
  step("is readable in light and dark colours");
  await shoot(page, "docs-page-narrow", { width: 390, height: 1800 });
  const overflow = await page.evaluate(() => window.document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `on a phone the page is ${overflow} pixels too wide`);
  step("fits a phone");
  await page.close();

  const linked = await open(faults, "#/mentions/getMentionById");
  await linked.locator("#operations-mentions-getMentionById .opblock-body").waitFor();
  await linked.close();
  step("opens at the operation that a link names");
  assert.deepEqual(faults, []);
  step("asked no other host; nothing failed, nothing was reported to the console");

  // Without its renderer the page says so.
  await browser.route(/swagger-ui-bundle[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  const bare = await open([]);
  await bare.getByText("The renderer of this page was not built in.").waitFor();
  step("says it when the renderer is missing");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
