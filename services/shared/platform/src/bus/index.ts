export * from './connect-amqp.ts';
export * from './dead-letters.ts';
export * from './event-bus.ts';
export * from './failed-deliveries.ts';
export * from './in-process-bus.ts';
export * from './rabbitmq-bus.ts';
export * from './rabbitmq-topology.ts';
export * from './retry-policy.ts';
