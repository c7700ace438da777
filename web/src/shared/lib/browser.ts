/**
 * Whether an input method is composing a character: then Enter belongs to it. Safari reports that by the key code only.
 */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;

/** Opens the device's share dialog. Canceling it is not an error. */
export async function shareNatively(what: ShareData): Promise<void> {
  await navigator.share(what).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
}
