import { describeWith } from '@wayquest/testing';
import { networkSuite } from './network-suite.ts';

(await describeWith('rabbitmq'))('a network on RabbitMQ', networkSuite('rabbitmq'));
