export * from './outbox.ts';
export { addOutbox, makeDue, type WithOutbox, withEvents } from './outbox-document.ts';
