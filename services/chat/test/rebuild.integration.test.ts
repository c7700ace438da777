import { describeWith } from '@wayquest/testing';
import { rebuildSuite } from './rebuild-suite.ts';

(await describeWith('rabbitmq'))('on RabbitMQ', rebuildSuite('rabbitmq'));
