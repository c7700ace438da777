export { createGateway, type Gateway, type GatewayDeps } from './gateway.ts';
export type { Allowance, RateLimits } from './rate-limits.ts';
export type { Patience, UpstreamAddress } from './upstreams.ts';
export { webSettingsOf, webSettingsSchema } from './web-settings.ts';
