export {
  createNotificationsService,
  type NotificationsDeps,
  type NotificationsTuning,
  notificationsService,
} from './service.ts';
