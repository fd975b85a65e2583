import { createPolicyByBackend } from '../src/agents/policyByBackend';
import { requestComputeDevice } from '../src/gpu/device';
import { exposePolicy } from './policyDoor';

exposePolicy(createPolicyByBackend(() => requestComputeDevice(navigator.gpu)));
