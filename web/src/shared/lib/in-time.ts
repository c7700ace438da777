/** How long a part of the app may take to arrive. */
const partTimeoutMs = 20_000;

/**
 * What a promise resolves to; rejects with a TimeoutError where that takes longer. For what cannot be aborted, as an
 * import: a connection that is never answered would leave the page waiting for ever.
 */
export function inTime<T>(promise: Promise<T>, timeoutMs = partTimeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DOMException('it did not arrive in time', 'TimeoutError')),
      timeoutMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
