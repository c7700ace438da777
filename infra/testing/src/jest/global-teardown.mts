/** Stops what the run started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.wayquestBackingServer?.close();
}
