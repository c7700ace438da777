/** The nonce by which this page's strict policy lets style elements in. */
export function styleNonce(): string {
  // The gateway writes it where the build leaves this.
  if (import.meta.env.SSR) return '__CSP_NONCE__';
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}
