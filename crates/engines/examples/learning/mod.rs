//! Weights of an evaluation from what became of positions: logistic regression by Adam.

pub(crate) mod adam;

pub(crate) use adam::Adam;

/// A position that was met: which weights count in it, how much, and what came of it for the side to move.
pub(crate) struct Sample {
    pub(crate) terms: Vec<(usize, f32)>,
    pub(crate) target: f32,
}

impl Sample {
    /// What these weights make of it.
    pub(crate) fn value(&self, weights: &[f32]) -> f32 {
        self.terms.iter().map(|&(at, amount)| weights[at] * amount).sum()
    }
}

/// How weights are fitted.
pub(crate) struct Fitting {
    /// How often every sample is looked at.
    pub(crate) epochs: i32,
    /// The first step, and what is left of it from one epoch to the next.
    pub(crate) rate: f32,
    pub(crate) decay: f32,
    /// The value that is one logit.
    pub(crate) scale: f32,
    /// A pull back to the first weights that keeps what was rarely seen from growing.
    pub(crate) pull: f32,
}

/// The chance of winning that a value stands for.
pub(crate) fn chance(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).clamp(-30.0, 30.0).exp())
}

/// How wrong the chances are.
pub(crate) fn loss(samples: &[Sample], weights: &[f32], scale: f32) -> f32 {
    let wrong = |sample: &Sample| {
        let chance = chance(sample.value(weights), scale).clamp(1e-6, 1.0 - 1e-6);
        -sample.target * chance.ln() - (1.0 - sample.target) * (1.0 - chance).ln()
    };
    samples.iter().map(wrong).sum::<f32>() / samples.len() as f32
}

/// Better weights than the first ones.
pub(crate) fn fit(samples: &[Sample], start: &[f32], fitting: &Fitting) -> Vec<f32> {
    let mut weights = start.to_vec();
    let mut adam = Adam::new(weights.len());
    for epoch in 0..fitting.epochs {
        let rate = fitting.rate * fitting.decay.powi(epoch);
        for batch in samples.chunks(512) {
            let mut slope = vec![0.0_f32; weights.len()];
            for sample in batch {
                let error = chance(sample.value(&weights), fitting.scale) - sample.target;
                for &(at, amount) in &sample.terms {
                    slope[at] += error * amount / batch.len() as f32;
                }
            }
            let pull = |now: f32, then: f32| fitting.pull * (now - then);
            slope.iter_mut().zip(&weights).zip(start).for_each(|((slope, now), then)| *slope += pull(*now, *then));
            adam.step(&mut weights, &slope, rate);
        }
    }
    weights
}
