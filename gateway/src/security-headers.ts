import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import type { Caller } from './caller.ts';

const self = "'self'";
const none = ["'none'"];

/** Scripts and everything else from here alone; styles from here, or with the answer's nonce. */
const pagePolicy = (nonce?: string) => ({
  useDefaults: false as const,
  directives: {
    defaultSrc: [self],
    scriptSrc: [self],
    styleSrc: nonce ? [self, `'nonce-${nonce}'`] : [self],
    imgSrc: [self, 'data:'],
    connectSrc: [self],
    objectSrc: none,
    baseUri: [self],
    frameAncestors: none,
    formAction: [self],
  },
});

const options: HelmetOptions = {
  // Said per answer: it means something only behind https (RFC 6797, section 7.2).
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
};

/** The headers of everything that the gateway answers itself. */
export const pageSecurity = helmet({ ...options, contentSecurityPolicy: pagePolicy() });

/** The policy of one page whose styles carry a nonce. */
export const pageSecurityWithNonce = (nonce: string) => helmet.contentSecurityPolicy(pagePolicy(nonce));

/** What helmet would set, worked out once: a proxied answer gets it without passing through any middleware. */
function headersOf(helmetOptions: HelmetOptions): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(helmetOptions)(response.req, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

const overHttp = headersOf({
  ...options,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: none, frameAncestors: none },
  },
});

export const strictTransport = 'max-age=31536000; includeSubDomains';

const overHttps = { ...overHttp, 'strict-transport-security': strictTransport };

/** The headers of an answer that is data and no page. */
export const dataSecurity = ({ protocol }: Caller): Record<string, string> =>
  protocol === 'https' ? overHttps : overHttp;
