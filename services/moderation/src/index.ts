export { checkAudit } from './audit.ts';
export { moderationService } from './service.ts';
