/** How long the network may take, in milliseconds, before what is kept is good enough; less while it has just failed. */
const timeoutMs = 4_000;
const shortTimeoutMs = 1_000;

/** How long it may take for a part of the app that is not kept, which a page cannot do without. */
const partTimeoutMs = 30_000;

let isReachable = true;

/** Ends the loading of a part of the app; soon where the server has just failed to answer. */
export const partTimeout = (): AbortSignal =>
  AbortSignal.timeout(isReachable ? partTimeoutMs : shortTimeoutMs);

/** What a gateway or a proxy answers in the place of a server that is not there. */
const unavailable = [502, 503, 504];

/** The page of a hotspot that wants a login, in the place of an answer. */
const isPageForData = (request: Request, response: Response) =>
  request.mode !== 'navigate' && response.ok && response.headers.get('content-type')?.startsWith('text/html');

/** What the server answered, if it did so in time: nothing where it is away, or something else answered for it. */
export async function fromServer(request: Request, asking: Promise<Response>): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, isReachable ? timeoutMs : shortTimeoutMs);
  });
  const response = await Promise.race([asking, late]).catch(() => undefined);
  clearTimeout(timer);
  const isUsable = response && !unavailable.includes(response.status) && !isPageForData(request, response);
  // What the page itself no longer wanted says nothing about the network.
  if (isUsable || !request.signal.aborted) isReachable = Boolean(isUsable);
  return isUsable ? response : undefined;
}
