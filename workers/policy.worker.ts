import { createPolicyByBackend } from '../src/agents/policyByBackend';
import { exposePolicy } from './policyDoor';

exposePolicy(createPolicyByBackend(() => performance.now()));
