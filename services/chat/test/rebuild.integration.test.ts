import { describeWith } from '@wayquest/testing';
import { rebuildSuite } from './rebuild-suite.ts';

(await describeWith('rabbitmq'))('a replica rebuild on RabbitMQ', rebuildSuite('rabbitmq'));
