/** The nonce by which this page's content security policy allows style elements. */
export function styleNonce(): string {
  // A placeholder of the build, which the gateway replaces.
  if (import.meta.env.SSR) return '__CSP_NONCE__';
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}
