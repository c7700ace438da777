export { watchCertificate } from './certificate.ts';
export { createGateway, type Gateway, type GatewayDeps } from './gateway.ts';
export type { RateLimits } from './rate-limits.ts';
export {
  builtWebApp,
  type GatewayRunnerDeps,
  gatewayFromSettings,
  gatewayProcessSettings,
  gatewaySettings,
} from './settings.ts';
export type { UpstreamAddress, UpstreamTimeouts } from './upstreams.ts';
