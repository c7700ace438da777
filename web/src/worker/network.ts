declare const self: ServiceWorkerGlobalScope;
declare const BUILD: {
  version: string;
  siteName: string;
  /** The path of the operator's logo; empty without one. */
  logo: string;
  files: string[];
  memberFiles: string[];
};

/** The global scope of the worker. */
export const worker = self;

const { logo, ...built } = BUILD;

/**
 * The build that this worker belongs to, with the name of the installation, the files that every page needs, and those that members
 * need without a network.
 */
export const build = { ...built, files: [...built.files, logo].filter((file) => file !== '') };

/** How long to wait for the network before a cached response is used, in milliseconds; shorter after a failure. */
const timeoutMs = 4_000;
const shortTimeoutMs = 1_000;

/** Timeout for a file of the app that is not cached, in milliseconds. */
const assetTimeoutMs = 30_000;

let isReachable = true;

/** Aborts the loading of a file of the app after a timeout, which is short if the last request failed. */
export const assetTimeout = (): AbortSignal =>
  AbortSignal.timeout(isReachable ? assetTimeoutMs : shortTimeoutMs);

/** Status codes with which a gateway or proxy responds if the server is unavailable. */
const unavailableStatuses = [502, 503, 504];

/** Whether the response is a page although data was requested, such as the login page of a hotspot. */
const isPageForData = (request: Request, response: Response) =>
  request.mode !== 'navigate' && response.ok && response.headers.get('content-type')?.startsWith('text/html');

/**
 * Waits for the server's response until a timeout.
 *
 * @param pending - The request in progress.
 * @returns Undefined if the server is unavailable or too slow, or something else responded in its place.
 */
export async function fromServer(
  request: Request,
  pending: Promise<Response>,
): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, isReachable ? timeoutMs : shortTimeoutMs);
  });
  const response = await Promise.race([pending, late]).catch(() => undefined);
  clearTimeout(timer);
  const isUsable =
    response && !unavailableStatuses.includes(response.status) && !isPageForData(request, response);
  // A request that the page aborted says nothing about the network.
  if (isUsable || !request.signal.aborted) isReachable = Boolean(isUsable);
  return isUsable ? response : undefined;
}
