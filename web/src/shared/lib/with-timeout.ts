/** Timeout for loading a part of the app, in milliseconds. */
const partTimeoutMs = 20_000;

/**
 * Adds a timeout to a promise, which rejects with a TimeoutError. For what cannot be aborted, such as an import, which
 * would otherwise wait forever on a connection without a response.
 */
export function withTimeout<T>(promise: Promise<T>, timeoutMs = partTimeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DOMException('it did not arrive in time', 'TimeoutError')),
      timeoutMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
