/** Hands something to whatever the device shares with. Whoever changes their mind has not failed. */
export async function shareNatively(what: ShareData): Promise<void> {
  await navigator.share(what).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
}
