import { createTfjsPolicy } from '../src/agents/tfjsPolicy';
import { exposePolicy } from './policyDoor';

exposePolicy(createTfjsPolicy());
