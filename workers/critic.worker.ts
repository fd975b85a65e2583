import { createTfjsCritic } from '../src/agents/tfjsCritic';
import { exposeCritic } from './criticDoor';

exposeCritic(createTfjsCritic());
