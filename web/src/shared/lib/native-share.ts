/** Opens the device's share dialog. Canceling it is not an error. */
export async function shareNatively(what: ShareData): Promise<void> {
  await navigator.share(what).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
}
