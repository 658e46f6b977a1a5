// A headless Chromium, driven through its debugging pipe: messages in JSON, each ended by a zero byte.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long one answer or condition may take, in milliseconds. A slow machine needs seconds; a page that hangs never ends. */
const PATIENCE = 30_000;

export class Browser {
  #process;
  #profile = mkdtempSync(join(tmpdir(), 'noise-page-'));
  #waiting = new Map();
  #messages = 0;
  #listeners = [];
  #log = '';
  #ended;

  constructor(program = 'chromium') {
    this.#process = spawn(program, [
      // Chromium's sandbox needs rights that a container often lacks. The only page is our own.
      '--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`,
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-extensions', '--mute-audio',
      // WebGL without a GPU.
      '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', 'about:blank',
    ], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.#process.stderr.on('data', data => (this.#log += data));
    this.#ended = new Promise(resolve => {
      this.#process.on('error', error => resolve(this.#fail(error)));
      this.#process.on('exit', code => resolve(this.#fail(new Error(`${program} ended with ${code}:\n${this.#log}`))));
    });
    let unread = '';
    this.#process.stdio[4].setEncoding('utf8').on('data', data => {
      const messages = (unread + data).split('\0');
      unread = messages.pop();
      for (const message of messages) this.#receive(JSON.parse(message));
    });
    this.#process.stdio[3].on('error', () => {});
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      for (const listener of this.#listeners) listener(method, params, sessionId);
      return;
    }
    const { resolve, reject, timer, what } = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(timer);
    if (error) reject(new Error(`${what}: ${error.message}`));
    else resolve(result);
  }

  #fail(error) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }

  send(method, params = {}, sessionId) {
    const id = ++this.#messages;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}\n${this.#log}`)), PATIENCE);
      this.#waiting.set(id, { resolve, reject, timer, what: method });
    });
  }

  onEvent(listener) {
    this.#listeners.push(listener);
  }

  /** Opens a page of this size in pixels. */
  async open(url, [width, height], { scheme = 'light' } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Accessibility']) await page.send(`${domain}.enable`);
    await page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await page.send('Page.navigate', { url });
    return page;
  }

  async close() {
    this.send('Browser.close').catch(() => {});
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await this.#ended;
    clearTimeout(timer);
    // Its last children may still be writing there.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20 });
  }
}

class Page {
  /** Errors and warnings of the page and its workers. */
  errors = [];
  #browser;
  #session;
  #target;
  #workers = new Set();

  constructor(browser, session, target) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
    browser.onEvent((method, params, from) => {
      if (from === session && method === 'Target.attachedToTarget') {
        this.#workers.add(params.sessionId);
        browser.send('Runtime.enable', {}, params.sessionId).catch(() => {});
      } else if (from === session && method === 'Target.detachedFromTarget') {
        this.#workers.delete(params.sessionId);
      }
      if (from !== session && !this.#workers.has(from)) return;
      const { exceptionDetails, type, args, entry } = params;
      if (method === 'Runtime.exceptionThrown') {
        this.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
      } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(type)) {
        this.errors.push(args.map(arg => arg.value ?? arg.description).join(' '));
      } else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(entry.level)) {
        this.errors.push(`${entry.text} ${entry.url ?? ''}`);
      }
    });
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  /** Evaluates an expression in the page. If it is a promise, waits for its value. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Evaluates an expression in each worker of the page. */
  evaluateInWorkers(expression) {
    return Promise.all([...this.#workers].map(worker => this.#browser.send('Runtime.evaluate', { expression }, worker)));
  }

  /** Waits until an expression is true. */
  async until(expression) {
    const end = Date.now() + PATIENCE;
    while (!(await this.evaluate(expression))) {
      if (Date.now() > end) throw new Error(`never true: ${expression}\n${this.errors.join('\n')}`);
      await new Promise(resolve => setTimeout(resolve, 30));
    }
  }

  /** Presses a key on the focused element. */
  async press(key, code = key, keyCode = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key]) {
    for (const type of ['keyDown', 'keyUp']) {
      await this.send('Input.dispatchKeyEvent', { type, key, code, windowsVirtualKeyCode: keyCode });
    }
  }

  async screenshot() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.#browser.send('Target.closeTarget', { targetId: this.#target });
  }
}
