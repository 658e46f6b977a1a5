// The page's end of the worker: one picture at a time, so that a fast slider never makes a queue.

export class Artist {
  #worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  #requests = 0;
  #resolve = null;

  /** Starts the worker. Returns the lists of parameters and presets. */
  start() {
    return new Promise((resolve, reject) => {
      this.#worker.addEventListener('error', event => reject(new Error(event.message || 'the worker does not start')));
      this.#worker.addEventListener('message', ({ data }) => {
        if (data.description) resolve(data.description);
        else if (data.failure) reject(new Error(data.failure));
        else this.#finish(data.picture);
      });
    });
  }

  #finish(picture) {
    const resolve = this.#resolve;
    this.#resolve = null;
    resolve(picture);
  }

  get isBusy() {
    return this.#resolve !== null;
  }

  /** The picture of a request, or `null` if it was abandoned. Only for an artist who is not busy. */
  draw(request) {
    this.#worker.postMessage({ id: ++this.#requests, request });
    return new Promise(resolve => (this.#resolve = resolve));
  }

  /** Ends the work on the last request soon. */
  abandon() {
    this.#worker.postMessage({ abandon: this.#requests });
  }
}
