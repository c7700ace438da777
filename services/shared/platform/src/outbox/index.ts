export * from './outbox.ts';
export { addOutbox, type WithOutbox, withEvents } from './outbox-document.ts';
