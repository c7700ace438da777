export { checkAudit } from './audit-check.ts';
export { moderationService } from './service.ts';
