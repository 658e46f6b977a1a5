// The page's side of the worker: one request at a time, so that a fast slider never makes a queue.

export class WorkerClient {
  #worker = null;
  #requests = 0;
  /** Settles the request in progress. */
  #resolve;
  #reject;

  /** Starts the worker. Returns the lists of parameters and presets. */
  start() {
    this.#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('error', event => this.#fail(event.message || 'the worker does not start'));
    this.#worker.addEventListener('message', ({ data }) => ('failure' in data ? this.#fail(data.failure) : this.#resolve(data.result)));
    return this.#answer();
  }

  /** Draws an image. Returns `null` if the request was abandoned. Throws if it failed. */
  async draw(request) {
    if (!this.#worker) await this.start();
    this.#worker.postMessage({ id: ++this.#requests, request });
    return this.#answer();
  }

  /** Makes the worker end the last request soon. */
  abandon() {
    this.#worker?.postMessage({ abandon: this.#requests });
  }

  #answer() {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** After a failure, the state of the worker is unknown. The next request starts another one. */
  #fail(reason) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#reject(new Error(reason));
  }
}
