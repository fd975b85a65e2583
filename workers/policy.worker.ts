import { createPolicyByBackend } from '../src/agents/policyByBackend';
import { exposePolicy } from './policyDoor';

exposePolicy(createPolicyByBackend({ now: () => performance.now(), gpu: () => navigator.gpu }));
