import { Counter, Gauge } from 'prom-client';

export const realtimeMetrics = {
  sockets: new Gauge({
    name: 'wayquest_realtime_sockets',
    help: 'Open sockets of this process',
  }),
  rejectedSockets: new Counter({
    name: 'wayquest_realtime_rejected_sockets_total',
    help: 'Sockets rejected or disconnected because of their token',
  }),
  deliveries: new Counter({
    name: 'wayquest_realtime_deliveries_total',
    help: 'Events delivered to this process for the people connected to it',
    labelNames: ['event'],
  }),
  nodeMessages: new Counter({
    name: 'wayquest_realtime_node_messages_total',
    help: 'Messages of other nodes to this process, by topic',
    labelNames: ['topic'],
  }),
  resyncs: new Counter({
    name: 'wayquest_realtime_resyncs_total',
    help: 'Times that this process asked its clients to fetch what they may have missed',
  }),
};
